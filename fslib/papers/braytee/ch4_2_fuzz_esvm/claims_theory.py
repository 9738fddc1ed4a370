"""Claims of section 4.2 about the algorithm itself."""

from fslib.papers.braytee.ch4_2_fuzz_esvm.theory import fitted_fuzz_esvm, phases
from fslib.papers.claims import claim, verdict


@claim("fig4-5-two-phases")
def fig4_5_two_phases():
    """trace: phase 1 runs once per module; phase 2 input = union of survivors; every module with enough features
    contributes
    """
    selector = fitted_fuzz_esvm()
    found = phases(selector, sizes_at_least=10)
    union = sum(found["survivors"].values()) == len(selector.pool_)
    holds = union and found["every module contributes"] and found["choice within pool"]
    counts = ", ".join(f"{m}: {n}" for m, n in found["survivors"].items())
    return verdict(holds, f"pool of {len(selector.pool_)} features from modules {counts}", "module 0: unassigned")
