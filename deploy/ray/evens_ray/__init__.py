"""Plays the shards of an `evens` job on a Ray cluster and adds them up to the bytes of the single command."""
