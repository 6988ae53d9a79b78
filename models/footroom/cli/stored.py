"""``footroom studies``: the studies that a server keeps in its database, whether it runs or not."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footroom.base.errors import InvalidInput, Unsupported
from footroom.cli import show
from footroom.cli.lazy import LazyParser

if TYPE_CHECKING:
    from footroom_api.persistence import StoredStudy, StudyStore

_STATUSES = ("queued", "running", "done", "cancelled", "failed")
#: Studies that one page of the store has.
_PAGE = 100


def options(parser: argparse.ArgumentParser) -> None:
    """What can be done with stored studies."""
    actions = parser.add_subparsers(required=True, metavar="ACTION", dest="action", parser_class=LazyParser)

    def action(name: str, summary: str, *, one: bool = True) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = actions.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", allow_abbrev=False
        )
        added.add_argument(
            "--database",
            help="path or URL of the server's database; default FOOTROOM_DATABASE or .footroom/footroom.db",
        )
        added.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
        if one:
            added.add_argument("study", metavar="ID", help="id of a study, or its first characters")
        return added

    for name, summary in (("list", "list studies, newest first"), ("search", "list studies by a part of their name")):
        listed = action(name, summary, one=False)
        if name == "search":
            listed.add_argument(
                "search", metavar="TEXT", help="part of a name in upper or lower case, or the first characters of an id"
            )
        listed.add_argument("--status", choices=_STATUSES, help="only studies with this status")
        listed.add_argument("--tag", help="only studies with this tag")
        listed.add_argument("--limit", type=int, default=50, help="maximum number of studies listed; default 50")
    action("show", "show one study: its question, status and cost")
    action("name", "rename a study").add_argument("name", metavar="NAME", help="new name")
    tagged = action("tag", "add tags to a study; with the tag keep it never expires")
    tagged.add_argument("tags", nargs="+", metavar="TAG", help="up to 40 letters, digits, spaces and . : / + - _")
    tagged.add_argument("--remove", action="store_true", help="remove these tags instead")
    action("cancel", "stop a study and keep its finished points")
    action("rerun", "remove the points of a study that has ended, and queue it for a server to run again")
    action("delete", "remove a study that has ended")
    action("export", "write a study that has ended to a file").add_argument(
        "file", nargs="?", metavar="FILE", help="file to write; default ID.footroom-study, - for standard output"
    )
    action("import", "add an exported study to the database", one=False).add_argument(
        "file", metavar="FILE", help="file that studies export wrote"
    )


def command(chosen: argparse.Namespace) -> int:
    """Do what the action says."""
    missing = [name for name in ("alembic", "pydantic", "sqlalchemy", "zstandard") if find_spec(name) is None]
    if missing:
        raise Unsupported(f"stored studies need {', '.join(missing)}: pip install 'footroom[server]'", path="studies")
    from footroom_api.persistence import StudyStore, open_database
    from footroom_api.settings import DEFAULT_DATABASE

    place = chosen.database or os.environ.get("FOOTROOM_DATABASE") or DEFAULT_DATABASE
    if "://" not in place and chosen.action != "import" and not Path(place).expanduser().exists():
        raise InvalidInput.at("--database", place, "there is no such file: name the one that the server uses")
    engine = open_database(place)
    try:
        _ACTIONS[chosen.action](chosen, StudyStore(engine))
    finally:
        engine.dispose()
    return 0


def _one(chosen: argparse.Namespace, store: StudyStore) -> StoredStudy:
    """The study of an id, or of the beginning of one. Raises InvalidInput."""
    if (study := store.get(chosen.study)) is not None:
        return study
    found = [one for one in store.page(None, _PAGE, chosen.study).studies if one.id.startswith(chosen.study)]
    if len(found) != 1:
        several = f"{len(found)} studies begin with this: give more of the id" if found else "there is no such study"
        raise InvalidInput.at("ID", chosen.study, several)
    return found[0]


def _list(chosen: argparse.Namespace, store: StudyStore) -> None:
    if chosen.limit < 1:
        raise InvalidInput.at("--limit", chosen.limit, "a whole number of at least 1 is needed")
    found: list[StoredStudy] = []
    before: int | None = None
    while len(found) < chosen.limit:
        page = store.page(
            before, min(_PAGE, chosen.limit - len(found)), getattr(chosen, "search", ""), chosen.status, chosen.tag
        )
        found += page.studies
        before = page.following
        if before is None:
            break
    if chosen.json:
        show.print_json({"studies": [_document(study) for study in found], "more": before is not None})
    elif found:
        rows = [
            [
                study.id[:12],
                study.status,
                f"{study.progress:.0%}".replace("%", " %"),
                str(study.points),
                f"{study.created:%Y-%m-%d %H:%M}",
                study.name,
                ", ".join(study.tags),
            ]
            for study in found
        ]
        print(
            show.table(
                rows, ["id", "status", "done", "points", "asked for (UTC)", "name", "tags"], words=(0, 1, 4, 5, 6)
            )
        )
    else:
        print("no study")
    if before is not None and not chosen.json:
        print("There are more: --limit")


def _document(study: StoredStudy) -> dict[str, Any]:
    moments = {name: getattr(study, name) for name in ("created", "started", "finished")}
    return {
        "id": study.id,
        "name": study.name,
        "tags": list(study.tags),
        "status": study.status,
        "progress": study.progress,
        "points": study.points,
        "cost": study.cost,
        "request": study.request,
        "error": study.error,
        **{name: at and at.isoformat() for name, at in moments.items()},
    }


def _show(chosen: argparse.Namespace, store: StudyStore) -> None:
    study = _one(chosen, store)
    if chosen.json:
        show.print_json(_document(study))
        return
    axes = "; ".join(f"{path}: {len(values)} values" for path, values in study.request["over"].items()) or "none"
    replicas = study.request["replicas"]
    rows = [
        ["id", study.id],
        ["name", study.name],
        ["tags", ", ".join(study.tags) or "none"],
        ["status", f"{study.status}, {study.progress:.0%}".replace("%", " %")],
        ["points", f"{study.points} of {study.cost['points']}"],
        ["axes", axes],
        ["engines", ", ".join(study.request["engines"])],
        ["replicas", str(replicas)],
        ["cost", f"about {study.cost['cpu_seconds']:.3g} s of one core"],
        *(
            [name, f"{at:%Y-%m-%d %H:%M:%S} UTC"]
            for name, at in (("asked for", study.created), ("started", study.started), ("ended", study.finished))
            if at
        ),
    ]
    if study.error is not None:
        rows.append(["error", str(study.error.get("detail", ""))])
    print(show.table(rows, ["", ""], words=(0, 1)))


def _said(chosen: argparse.Namespace, store: StudyStore, study: str, sentence: str) -> None:
    """Print what was done: a sentence, or the study as it is now."""
    found = store.get(study)
    if chosen.json:
        show.print_json({"id": study} if found is None else _document(found))
    else:
        print(sentence)


def _name(chosen: argparse.Namespace, store: StudyStore) -> None:
    from footroom_api.study_file import check_name

    study = _one(chosen, store)
    store.label(study.id, name=check_name(chosen.name))
    _said(chosen, store, study.id, f"{study.id[:12]} is now called {chosen.name.strip()}")


def _tag(chosen: argparse.Namespace, store: StudyStore) -> None:
    from footroom_api.study_file import check_tags

    study = _one(chosen, store)
    given = check_tags(chosen.tags)
    tags = [tag for tag in study.tags if tag not in given] if chosen.remove else check_tags([*study.tags, *given])
    store.label(study.id, tags=tags)
    _said(chosen, store, study.id, f"{study.id[:12]} has {', '.join(tags) or 'no tags'}")


def _cancel(chosen: argparse.Namespace, store: StudyStore) -> None:
    study = _one(chosen, store)
    stopped = store.move(study.id, ("queued", "running"), "cancelled")
    _said(chosen, store, study.id, f"{study.id[:12]} is cancelled" if stopped else f"{study.id[:12]} had ended before")


def _rerun(chosen: argparse.Namespace, store: StudyStore) -> None:
    from footroom.studies import Study, cost_of

    study = _one(chosen, store)
    if not store.again(study.id, cost_of(Study.from_request(study.request)).to_dict()):
        raise InvalidInput.at("ID", study.id, "is queued or running already")
    _said(chosen, store, study.id, f"{study.id[:12]} is queued; the server over this database runs it")


def _delete(chosen: argparse.Namespace, store: StudyStore) -> None:
    study = _one(chosen, store)
    if not store.delete(study.id):
        raise InvalidInput.at("ID", study.id, "is queued or running: cancel it first")
    _said(chosen, store, study.id, f"{study.id[:12]} is removed")


def _export(chosen: argparse.Namespace, store: StudyStore) -> None:
    from footroom_api.study_file import write

    study = _one(chosen, store)
    if not study.final:
        raise InvalidInput.at("ID", study.id, f"is {study.status}; it can be exported once it has ended")
    place = chosen.file or f"{study.id}.footroom-study"
    if place == "-" and chosen.json:
        raise InvalidInput.at("--json", "-", "standard output takes the file or the JSON document, not both")
    pieces = write(study, store.in_order(study.id))
    if place == "-":
        sys.stdout.buffer.writelines(pieces)
        return
    try:
        with Path(place).open("wb") as file:
            file.writelines(pieces)
    except OSError as error:
        raise InvalidInput.at("FILE", place, f"cannot be written: {error.strerror}") from None
    _said(chosen, store, study.id, f"{study.id[:12]} is in {place}")


def _import(chosen: argparse.Namespace, store: StudyStore) -> None:
    from footroom_api.study_file import StudyFile

    try:
        file = Path(chosen.file).open("rb")  # noqa: SIM115 - closed below; only opening it may fail so
    except OSError as error:
        raise InvalidInput.at("FILE", chosen.file, f"cannot be read: {error.strerror}") from None
    with file:
        found = StudyFile(file)
        new = store.put(found.study, found.points())
    short = found.study.id[:12]
    _said(chosen, store, found.study.id, f"{short} is kept" if new else f"{short} already exists and is not changed")


_ACTIONS = {
    "list": _list,
    "search": _list,
    "show": _show,
    "name": _name,
    "tag": _tag,
    "cancel": _cancel,
    "rerun": _rerun,
    "delete": _delete,
    "export": _export,
    "import": _import,
}
