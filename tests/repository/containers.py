"""Podman with a store of its own, and a base image made of Debian's packages: no container registry is needed.

Everything stays in the user's cache directory, so that the next run fetches and builds only what has changed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
# Debian 13 has Python 3.13 and Node 20.19. Its npm is some 300 packages; npm's own is one.
RELEASE, NPM = "trixie", "npm@10"
RECIPE = (
    "--variant=essential",
    "--include=python3,python3-pip,nodejs",
    '--aptopt=Acquire::Languages "none"',
    *(f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in ("doc", "man", "locale")),
)
TOOLS = ("podman", "mmdebstrap", "apt-get", "npm")


class Unavailable(Exception):
    """This machine cannot build or run containers; says which tool is missing or which step failed."""


def _ask(command: Sequence[str], *, step: str, env: Mapping[str, str] | None = None, patience: int = 900) -> str:
    """Standard output of a preparing command. Raises Unavailable."""
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=patience, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{step}: {error}") from None
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Unavailable(f"{step}: {' '.join(last)}")
    return done.stdout.strip()


@dataclass
class Podman:
    """Podman over one store. folder: what is kept between runs.  env: of every command."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    def run(self, *words: str, patience: int = 1800) -> subprocess.CompletedProcess[str]:
        """One command, whatever its status."""
        return subprocess.run(
            ("podman", *words), env=self.env, capture_output=True, text=True, timeout=patience, check=False
        )

    def ask(self, *words: str) -> str:
        """Standard output of a command that must succeed."""
        done = self.run(*words)
        assert done.returncode == 0, f"podman {' '.join(words)}: {done.stdout[-3000:]}\n{done.stderr[-6000:]}"
        return done.stdout.strip()

    def clear(self) -> None:
        """Remove all containers and volumes; images stay."""
        self.ask("rm", "--all", "--force", "--volumes", "--time=0")
        self.ask("volume", "prune", "--force")


@contextlib.contextmanager
def opened() -> Iterator[Podman]:
    """Podman that can run containers, for one process at a time. Raises Unavailable."""
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        raise Unavailable(f"not installed: {', '.join(missing)}")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    # What podman holds while containers run must not outlive a restart of the machine.
    runtime = Path("/run" if os.getuid() == 0 else os.environ.get("XDG_RUNTIME_DIR", "/nonexistent"))
    if not runtime.is_dir():
        raise Unavailable(f"no directory for the state of containers: {runtime}")
    folder = cache / "footroom-tests" / "containers"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        podman = Podman(folder)
        storage = folder / "storage.conf"
        storage.write_text(
            f'[storage]\ndriver = "overlay"\ngraphroot = "{folder / "store"}"\n'
            f'runroot = "{runtime / "footroom-tests"}"\n'
        )
        # Builds without namespaces of their own, and health checks on demand instead of by systemd's timers.
        podman.env = {
            **os.environ,
            "CONTAINERS_STORAGE_CONF": str(storage),
            "BUILDAH_ISOLATION": "chroot",
            "CONTAINERS_CONF": str(folder / "containers.conf"),
            "DISABLE_HC_SYSTEMD": "true",
        }
        _configure(podman)
        podman.clear()  # what a run that was killed left
        try:
            yield podman
        finally:
            podman.clear()


def _configure(podman: Podman) -> None:
    """Choose a container runtime that works here; crun refuses some cgroups that runc takes. Raises Unavailable."""
    limits = [
        f"{name}={min(4096, most) if most > 0 else 4096}"
        for name, kind in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC))
        for most in [resource.getrlimit(kind)[1]]
    ]
    ulimits = ", ".join(f'"{limit}:{limit.partition("=")[2]}"' for limit in limits)
    image, reasons = "", []
    for runtime in filter(shutil.which, ("crun", "runc")):
        Path(podman.env["CONTAINERS_CONF"]).write_text(
            f'[containers]\ndefault_ulimits = [{ulimits}]\n[engine]\nruntime = "{runtime}"\n'
        )
        image = image or base(podman)
        try:
            _ask(
                [
                    "podman",
                    "run",
                    "--rm",
                    "--memory=64m",
                    "--cpus=1",
                    "--pids-limit=64",
                    "--publish=127.0.0.1::8000",
                    image,
                    "true",
                ],
                step=f"running a container with {runtime}",
                env=podman.env,
            )
        except Unavailable as error:
            reasons.append(str(error))
        else:
            return
    raise Unavailable("; ".join(reasons) or "not installed: runc or crun")


def base(podman: Podman) -> str:
    """The name of a base image with Python, pip, Node and npm, made if it is not there. Raises Unavailable."""
    name = f"localhost/footroom-test-base:{hashlib.sha256(repr((RELEASE, NPM, RECIPE)).encode()).hexdigest()[:12]}"
    if podman.run("image", "exists", name).returncode != 0:
        with tempfile.TemporaryDirectory(dir=podman.folder) as made:
            root = Path(made, "root.tar")
            local = Path(made, "local")
            _ask(["npm", "install", "--global", "--prefix", str(local), NPM], step=f"fetching {NPM}")
            _ask(
                [
                    "mmdebstrap",
                    *RECIPE,
                    f"--customize-hook=copy-in {local} /usr",
                    RELEASE,
                    str(root),
                    f"deb {_mirror()} {RELEASE} main",
                ],
                step="making the base image with mmdebstrap",
            )
            _ask(["podman", "import", "--quiet", str(root), name], step="importing the base image", env=podman.env)
    return name


def _mirror() -> str:
    """Where this machine's apt finds Debian. Raises Unavailable."""
    listed = _ask(
        ["apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages"],
        step="listing apt's sources",
    )
    for line in listed.splitlines():
        label, _, uri = line.partition(" ")
        if label == "Debian":
            return uri
    raise Unavailable("apt has no source of Debian's packages")


def secrets(folder: Path) -> list[str]:
    """Options that hand this machine's package mirrors to a build; the files are written to ``folder``."""
    npm = [
        f"{key}={value}"
        for key in ("registry", "proxy", "https-proxy", "strict-ssl")
        if (value := _npm(key)) not in ("", "null", "undefined")
    ]
    pip = [
        f"{key}={value}"
        for key, value in _pip().items()
        if key in ("index-url", "extra-index-url", "trusted-host", "proxy", "default-timeout")
    ]
    index = os.environ.get("UV_DEFAULT_INDEX") or os.environ.get("UV_INDEX_URL")
    uv = [f'index-url = "{index}"'] if index else []
    bundle = os.environ.get("SSL_CERT_FILE", CERTIFICATES)
    if Path(bundle).is_file():
        npm.append(f"cafile={CERTIFICATES}")
        pip.append(f"cert={CERTIFICATES}")
        uv.append("system-certs = true")
    options = ["--secret", f"id=certificates,src={bundle}"] if Path(bundle).is_file() else []
    for name, lines in (("npmrc", npm), ("pip.conf", ["[global]", *pip]), ("uv.toml", uv)):
        Path(folder, name).write_text("\n".join([*lines, ""]))
        options += ["--secret", f"id={name},src={folder / name}"]
    return options


def _npm(key: str) -> str:
    return _ask(["npm", "config", "get", key], step="reading npm's configuration")


def _pip() -> dict[str, str]:
    """pip's settings by their short names; those of the environment are listed first and win."""
    try:
        listed = _ask([sys.executable, "-m", "pip", "config", "list"], step="reading pip's configuration")
    except Unavailable:  # an environment that uv made has no pip
        return {}
    pairs = reversed([line.partition("=") for line in listed.splitlines()])
    return {name.rpartition(".")[2]: value.strip("'") for name, _, value in pairs}
