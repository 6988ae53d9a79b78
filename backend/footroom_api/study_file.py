"""A study as one file: written by one server or command line, read by another.

The file is gzip. Inside is a line of JSON about the study, a line for each finished point, and a last line with their
number, so that a file that was cut off is noticed. What is read is checked against the study's own question: every
point must be one of it, and its answer must have the shape that the API describes.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, BinaryIO, Union

from pydantic import TypeAdapter, ValidationError

from footroom import studies
from footroom.base.errors import InvalidInput
from footroom.base.version import VERSION
from footroom.studies.document import PointDocument, UnsupportedDocument
from footroom_api.persistence import StoredPoint, StoredStudy

FORMAT, FORMAT_VERSION = "footroom-study", 1
MEDIA_TYPE = "application/octet-stream"
#: Bytes of one line, and of a whole file once unpacked.
_LONGEST, _MOST = 20_000_000, 4_000_000_000
_BODY: TypeAdapter[Any] = TypeAdapter(Union[PointDocument, UnsupportedDocument])  # noqa: UP007 - a value, no annotation
_TAG = re.compile(r"[^\W_][\w .:/+-]{0,39}")
_MOST_TAGS = 20


def check_tags(tags: Iterable[Any]) -> list[str]:
    """Tags, each once. Raises InvalidInput."""
    found = list(dict.fromkeys(tags))
    for tag in found:
        if not isinstance(tag, str) or not _TAG.fullmatch(tag):
            raise InvalidInput.at(
                "tags", tag, "must be up to 40 letters, digits, spaces and . : / + - _, a letter or digit first"
            )
    if len(found) > _MOST_TAGS:
        raise InvalidInput.at("tags", f"{len(found)} tags", f"a study has at most {_MOST_TAGS}")
    return found


def check_name(name: str) -> str:
    """A name without blanks around it. Raises InvalidInput."""
    name = name.strip()
    if not name or len(name) > 200 or not name.isprintable():
        raise InvalidInput.at("name", name[:200], "must be 1 to 200 characters on one line")
    return name


def write(study: StoredStudy, points: Iterable[StoredPoint]) -> Iterator[bytes]:
    """The file piece by piece. The same study gives the same bytes."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)  # 31: with a header of gzip, which then names no time
    head = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "written_by": VERSION,
        "id": study.id,
        "name": study.name,
        "tags": list(study.tags),
        "request": study.request,
        "created": _text(study.created),
        "started": _text(study.started),
        "finished": _text(study.finished),
    }
    yield packer.compress(_line(head))
    count = 0
    for point in points:
        count += 1
        yield packer.compress(_line({"position": point.position, "point": point.body}))
    yield packer.compress(_line({"points": count})) + packer.flush()


class StudyFile:
    """A file that is read. study: what it says, with status ``done`` where all points are there, else ``cancelled``."""

    def __init__(self, file: BinaryIO) -> None:
        """Raises InvalidInput where this is no whole file of a study."""
        self._file = file
        self.study, self._points = self._head(next(self._lines(), None))
        count = sum(1 for _ in self.points())
        if count < len(self._points):
            self.study = replace(self.study, status="cancelled", progress=count / len(self._points))

    def points(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Place in the study and answer of every point, checked. Raises InvalidInput."""
        lines = self._lines()
        next(lines, None)
        seen: set[int] = set()
        for line in lines:
            if "points" in line:
                if line["points"] != len(seen):
                    raise _wrong(f"it says that it has {line['points']} points, but has {len(seen)}")
                return
            yield self._point(line, seen)
        raise _wrong("it is cut off: its last line is missing")

    def _lines(self) -> Iterator[dict[str, Any]]:
        self._file.seek(0)
        total = 0
        try:
            with gzip.GzipFile(fileobj=self._file, mode="rb") as unpacked:
                while line := unpacked.readline(_LONGEST):
                    total += len(line)
                    if not line.endswith(b"\n") or total > _MOST:
                        raise _wrong("it is cut off, or larger than any study")
                    document = json.loads(line, parse_constant=_refuse)
                    if not isinstance(document, dict):
                        raise _wrong("one of its lines is not an object")
                    yield document
        except (OSError, EOFError, zlib.error):
            raise _wrong("this is not a gzip file, or it is damaged") from None
        except (ValueError, RecursionError):
            raise _wrong("one of its lines is not JSON") from None

    def _head(self, line: dict[str, Any] | None) -> tuple[StoredStudy, dict[int, tuple[dict[str, Any], str]]]:
        if line is None or line.get("format") != FORMAT:
            raise _wrong("this is not a study file of Footroom")
        if line.get("version") != FORMAT_VERSION:
            raise _wrong(
                f"it has version {str(line.get('version'))[:20]} of the format, this Footroom reads {FORMAT_VERSION}"
            )
        study = studies.Study.from_request(line.get("request") or {})
        names = study.engines
        points = {
            point.index * len(names) + n: (point.at, name) for point in study.points for n, name in enumerate(names)
        }
        tags = line.get("tags")
        now = datetime.now(UTC)
        stored = StoredStudy(
            number=0,
            id=study.id,
            name=check_name(str(line.get("name") or study.id)),
            request=study.request,
            cost=studies.cost_of(study).to_dict(),
            status="done",
            error=None,
            progress=1.0,
            created=_moment(line, "created") or now,
            started=_moment(line, "started"),
            finished=_moment(line, "finished") or now,
            points=0,
            tags=tuple(check_tags(tags if isinstance(tags, list) else ())),
        )
        return stored, points

    def _point(self, line: dict[str, Any], seen: set[int]) -> tuple[int, dict[str, Any]]:
        position, body = line.get("position"), line.get("point")
        if type(position) is not int or position not in self._points or position in seen:
            raise _wrong(f"point {str(position)[:20]} is not in this study, or is in the file twice")
        seen.add(position)
        at, engine = self._points[position]
        try:
            _BODY.validate_python(body)
        except ValidationError as error:
            raise _wrong(f"point {position} is not a valid answer: {error.errors()[0]['msg']}") from None
        assert isinstance(body, dict)
        if body["at"] != at or (body["result"]["engine"] if "result" in body else body["engine"]) != engine:
            raise _wrong(f"point {position} answers another question than the study asks there")
        return position, body


def _wrong(why: str) -> InvalidInput:
    return InvalidInput.at("file", None, why)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _line(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(line: dict[str, Any], name: str) -> datetime | None:
    written = line.get(name)
    if written is None:
        return None
    try:
        moment = datetime.fromisoformat(str(written))
    except ValueError:
        raise _wrong(f"{name} is no time") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
