"""The Kubernetes manifests are what Kubernetes accepts, and treat exit codes as evens-ray does."""

from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from evens_ray.failure import Verdict, verdict

DEPLOY = Path(__file__).parents[2]
MANIFESTS = sorted(DEPLOY.glob("k8s-*.yaml"))


def _documents(path: Path) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_a_manifest_fits_the_schema(path: Path) -> None:
    assert _documents(path)
    for document in _documents(path):
        kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)


def test_the_schema_refuses_what_is_wrong() -> None:
    job = next(document for document in _documents(DEPLOY / "k8s-job.yaml") if document["kind"] == "Job")
    job["spec"]["completion"] = 64
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(job, kubernetes_validate.latest_version(), strict=True)


def test_shards_are_dealt_out_and_exit_codes_decide() -> None:
    job = next(document for document in _documents(DEPLOY / "k8s-job.yaml") if document["kind"] == "Job")
    spec = job["spec"]
    assert (
        f"$((JOB_COMPLETION_INDEX + 1))/{spec['completions']}" in spec["template"]["spec"]["containers"][0]["args"][0]
    )
    assert spec["parallelism"] <= spec["completions"]
    rules = [rule for rule in spec["podFailurePolicy"]["rules"] if "onExitCodes" in rule]
    for status in (1, 2, 3, 4, 5, 6, 101, 126, 127, 129, 130, 134, 137, 139, 143, 153, 159):
        fits = (rule["action"] for rule in rules if _fits(rule["onExitCodes"], status))
        wanted = "Count" if verdict(status) is Verdict.RETRY else "FailJob" if status in (2, 3) else "FailIndex"
        assert next(fits) == wanted, status


def _fits(rule: dict[str, Any], status: int) -> bool:
    return bool((status in rule["values"]) == (rule["operator"] == "In"))
