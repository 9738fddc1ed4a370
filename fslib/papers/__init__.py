"""One package per paper: what its items consist of, its protocol, its tables, its theory, its claims."""
