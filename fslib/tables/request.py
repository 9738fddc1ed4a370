"""What is asked of a table."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Request:
    """What is asked of a table: the arguments of `fslib.tables.read_table`, checked."""

    targets: list
    drop: list
    keep: list | str
    views: list | dict
    groups: str | None
    time: str | None
    task: str
    missing_target: str | None
    missing_features: str

    @property
    def side(self):
        """Columns beside features and target, by role."""
        return {role: name for role, name in (("groups", self.groups), ("time", self.time)) if name is not None}

    def roles(self):
        """Names of columns by the argument that gives them."""
        roles = {"target": self.targets, "drop": self.drop, "keep": [] if self.keep == "all" else self.keep}
        if isinstance(self.views, dict):
            roles["views"] = [name for members in self.views.values() for name in members]
        return roles | {role: [name] for role, name in self.side.items()}

    def of_columns(self, source):
        """The request without names that are not columns, to look for further defects."""
        known = lambda names: [name for name in dict.fromkeys(names) if name in source.columns]
        targets = known(self.targets)
        side = {
            role: name if name in source.columns and name not in targets else None for role, name in self.side.items()
        }
        drop = [name for name in known(self.drop) if name not in (*targets, *side.values())]
        return replace(self, targets=targets, drop=drop, views=[], **{"groups": None, "time": None} | side)
