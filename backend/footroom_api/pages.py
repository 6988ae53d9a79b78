"""The built web page, served from a folder; the page handles every address that is not a file."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

#: Where a wheel has the page, and where a source tree builds it.
_INSTALLED = Path(__file__).with_name("page")
_SOURCE_TREE = Path(__file__).resolve().parents[2] / "frontend" / "dist"
_UNBUILT = Path(__file__).with_name("unbuilt.html")
#: Names under this folder hold a hash of their content.
_HASHED = "assets/"


def frontend_folder(given: Path | None) -> Path:
    """The folder to serve: the one given, that of the installed package, or that of the source tree."""
    if given is not None:
        return given
    return _INSTALLED if _INSTALLED.is_dir() else _SOURCE_TREE


class Pages(StaticFiles):
    """Answers when no route of the API does. FastAPI's own ``frontend`` would answer unknown addresses under ``/api``
    with the page, and has no caching.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError("only HTTP is served")
        path = self.get_path(scope)
        if path == "api" or path.startswith(f"api{os.sep}") or scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(404)
        if not (self._folder / "index.html").is_file():
            if Path(path).suffix:
                raise HTTPException(404)
            response: Response = HTMLResponse(_UNBUILT.read_text("utf-8"), 503, {"Cache-Control": "no-store"})
        else:
            response = await self._file(path, scope)
        await response(scope, receive, send)

    async def _file(self, path: str, scope: Scope) -> Response:
        # A view's document differs from the index only in what its head fetches early; an address without one of its
        # own gets the index. A file that is missing is missing.
        *earlier, last = (path,) if Path(path).suffix else (path, f"{path}.html", "index.html")
        for candidate in earlier:
            try:
                return self._cached(await self.get_response(candidate, scope), candidate)
            except HTTPException as error:
                if error.status_code != 404:
                    raise
        return self._cached(await self.get_response(last, scope), last)

    @staticmethod
    def _cached(response: Response, path: str) -> Response:
        hashed = path.startswith(_HASHED)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if hashed else "no-cache"
        return response
