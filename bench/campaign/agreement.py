"""Whether the claims about one instance agree: how many solutions it has, who found them."""

from collections.abc import Mapping, Sequence

from bench.campaign.validation import CLAIMS


class Agreement:
    """Whether all rows about one instance agree so far: a glance at each row, where `settle` looks at all.

    Attributes:
        least: how many solutions there are at least.
        answers: of checked solutions; different ones are of different solutions.
        claims: the numbers of solutions that rows claim to be all.
    """

    def __init__(self) -> None:
        self.least = 0
        self.answers: set[str] = set()
        self.claims: set[int] = set()

    def add(self, row: Mapping[str, str]) -> bool:
        """Takes a row of runs.csv; whether all still agree."""
        witnesses = witnesses_of(row)
        self.least = max(self.least, witnesses)
        if witnesses and row["answer"]:
            self.answers.add(row["answer"])
        if is_exhaustive(row):
            self.claims.add(int(row["solutions"]))
        return len(self.claims) <= 1 and all(
            claim >= max(self.least, len(self.answers)) for claim in self.claims
        )


def settle(
    rows: Sequence[Mapping[str, str]], witnesses: Sequence[Mapping[str, str]] | None = None
) -> list[tuple[str, str]]:
    """Status and error of each row after all claims about one instance are held against each other.

    Solutions that passed the checker are witnesses: they refute every run that claims that there are fewer.
    Claims that differ and that no witnesses decide contradict each other.

    Args:
        rows: of runs.csv, of one content of instance and rules, none of them superseded.
        witnesses: the rows whose solutions are witnesses, superseded ones too; without them `rows`.
    """
    least, witness = most_witnesses(rows if witnesses is None else witnesses)
    claims = {number: int(row["solutions"]) for number, row in enumerate(rows) if is_exhaustive(row)}
    stands = {number: claim for number, claim in claims.items() if claim >= least}
    settled = [(row["status"], row["error"]) for row in rows]
    for number, claim in claims.items():
        others = [other for other in stands if stands[other] != claim]
        if number not in stands:
            settled[number] = "wrong", f"{solutions(claim)}, but {witness}"
        elif others:
            against = f"{author(rows[others[0]])} counts {stands[others[0]]}"
            settled[number] = (
                "contradicted",
                f"{solutions(claim)}, but {against}; no checked solutions decide",
            )
        elif rows[number]["status"] == "contradicted":
            settled[number] = ("solved" if claim else "infeasible"), ""
    return settled


def is_exhaustive(row: Mapping[str, str]) -> bool:
    """Whether a row claims that there are no more solutions than it has."""
    counted = row["task"] == "count" and row["solutions"].isdecimal()
    return row["status"] in CLAIMS and (counted or row["solutions"] == "0")


def most_witnesses(rows: Sequence[Mapping[str, str]]) -> tuple[int, str]:
    """How many solutions there are at least, and who found them, in words.

    Different answers are of different solutions.
    """
    most = max(rows, key=witnesses_of)
    by_answer = {row["answer"]: row for row in reversed(rows) if witnesses_of(row) and row["answer"]}
    if len(by_answer) > witnesses_of(most):
        answers = [f"{answer} ({author(row)})" for answer, row in sorted(by_answer.items())[:2]]
        return len(by_answer), "checked solutions have different answers, as " + " and ".join(answers)
    count = witnesses_of(most)
    found = "a solution that passed" if count == 1 else f"{count} different solutions that passed"
    return count, f"{author(most)} found {found} the checker"


def witnesses_of(row: Mapping[str, str]) -> int:
    """The checked solutions of a row; campaigns of earlier versions tell of one only."""
    told = row["witnesses"]
    return int(told) if told.isdecimal() else int(row["status"] == "solved" and row["solution"] != "")


def solutions(count: int) -> str:
    """A number of solutions in words."""
    return f"{count or 'no'} solution{'' if count == 1 else 's'}"


def author(row: Mapping[str, str]) -> str:
    """Who says what a row says."""
    return f"{row['backend']}:{row['solver']} {row['formulation']} (seed {row['seed']})"
