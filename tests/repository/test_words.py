"""Words that docs/style.md replaces by plainer ones do not come back."""

import json
import re
from pathlib import Path

_AVOIDED = re.compile(
    r"\breckon|comes? to rest|came to rest|\bswings?\b|none swept|has not been asked|\bcannot say\b|says nothing|"
    r"as it came out|\bat rest\b(?! over an)|\bheld against\b|never gone below|"
    r"\bvouch|\bheld? to the\b|\bhold [^.()]{1,40} (?:against|to) (?:the|our|published)\b|"
    r"\brest points?\b|\bflows that come and go\b|\banswers? to (?:its )?marks\b|\bnever rests\b",
    re.IGNORECASE,
)
_DOCUMENTS = {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "notebooks"}
#: The style guide has to name what it replaces.
_EXCEPT = {Path("docs/style.md")}


def _read_by_people(path: Path, text: str) -> str:
    """What of a file a person reads who does not read code: prose, text of the page, help and messages."""
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    if path.suffix in {".ts", ".tsx", ".py"}:
        code = re.sub(r"//[^\n]*|/\*.*?\*/" if path.suffix != ".py" else r"#[^\n]*", "", text, flags=re.DOTALL)
        return code if path.suffix == ".tsx" else "\n".join(re.findall(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`', code))
    return text


def _on_one_line(text: str) -> str:
    """A phrase is one wherever its lines break."""
    return re.sub(r"\s+", " ", text)


def test_texts_avoid_what_the_style_guide_replaces(texts: dict[Path, str]) -> None:
    found = {}
    for path, text in texts.items():
        written = path.parts[0] in _DOCUMENTS and path.suffix in {".md", ".ipynb"}
        shown = path.parts[:2] in {("frontend", "src"), ("models", "footroom"), ("backend", "footroom_api")}
        if path in _EXCEPT or not (written or shown) or path.suffix not in {".md", ".ipynb", ".ts", ".tsx", ".py"}:
            continue
        if matches := _AVOIDED.findall(_on_one_line(_read_by_people(path, text))):
            found[str(path)] = matches
    assert found == {}
