"""`python -m evens_ray`."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
