"""Claims in PostgreSQL: several servers work at once, and a run belongs to the one whose number is written beside it.

A server has a number for as long as its connection lives: an advisory lock on that number, which PostgreSQL drops with
the connection, whether the server ended, was killed or lost its network. A claim is free when nobody holds the lock of
its number. Numbers are drawn at random and never used again, so a number found dead stays dead.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from footroom.studies.claims import Claims, Taken
from footroom_api.persistence.packing import pack, unpack

#: First half of the number of every advisory lock: "foot" in ASCII.
_FOOT = 0x666F6F74
#: After so many seconds of silence either end of a connection probes the other, three times.
_QUIET = 15
#: So at this end, as libpq names it. tcp_user_timeout: for what was sent and not acknowledged [ms].
KEEPALIVE = {
    "connect_timeout": 10,
    "keepalives_idle": _QUIET,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}

_LOCK = text("SELECT pg_try_advisory_lock(:foot, :number)")
#: PostgreSQL probes the server's machine every few seconds. A machine that lost its power sends nothing, and its locks
#: would last for the two hours after which Linux probes.
_WATCH = text(f"""
    SELECT set_config(name, wanted, false) FROM pg_settings JOIN (
        VALUES ('tcp_keepalives_idle', '{_QUIET}'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'),
            ('tcp_user_timeout', '30000')) AS given (name, wanted) USING (name)""")
_DEAD = text("""
    SELECT owner FROM (SELECT DISTINCT owner FROM claim WHERE owner = ANY(:owners)) AS known
    WHERE NOT EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid::bigint = :foot
        AND objid::bigint = owner AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))""")
_LEAD = text("""
    INSERT INTO claim (key, owner, study) SELECT unnest(CAST(:keys AS text[])), :me, :study
    ON CONFLICT (key) DO NOTHING RETURNING key""")
#: Runs are claimed only while a server leads the study: refusals go when it is over, and a helper that has not noticed
#: would try those runs again.
_TAKE = text("""
    WITH led AS (SELECT key FROM claim WHERE key = 'study ' || :study FOR KEY SHARE)
    INSERT INTO claim (key, owner, study) SELECT unnest(CAST(:keys AS text[])), :me, :study FROM led
    ON CONFLICT (key) DO NOTHING RETURNING key""")
_TAKE_OVER = text("""
    WITH free AS (SELECT key FROM claim WHERE key = ANY(:keys) AND owner = ANY(:dead) ORDER BY key FOR UPDATE)
    UPDATE claim SET owner = :me, study = :study, refusal = NULL FROM free WHERE claim.key = free.key
    RETURNING claim.key""")
#: A server killed after it has kept a result and before it gives up the claim leaves a row that nobody needs again.
#: Rows that another server is about to take over are skipped.
_SWEEP = text("""
    WITH dead AS (
        SELECT key FROM claim WHERE owner = ANY(:dead) ORDER BY key FOR UPDATE SKIP LOCKED)
    DELETE FROM claim USING dead WHERE claim.key = dead.key""")
_OWNERS = text("SELECT DISTINCT owner FROM claim WHERE owner <> :me")
_SETTLE = text("DELETE FROM claim WHERE owner = :me AND key = ANY(:keys)")
_STEP_DOWN = text("DELETE FROM claim WHERE owner = :me AND key = 'study ' || :study")
_LEAVE = text("DELETE FROM claim WHERE study = :study AND CASE WHEN refusal IS NULL THEN owner = :me ELSE :over END")
_REFUSE = text("UPDATE claim SET refusal = :refusal WHERE owner = :me AND key = :key")
_TAKEN = text("SELECT key, owner, refusal FROM claim WHERE key = ANY(:keys)")


class Owner:
    """One of the servers over a PostgreSQL database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.RLock()
        self._session: Connection | None = None
        self._number = 0

    def runs(self, study: str) -> Claims | None:
        """Claims in the name of ``study``."""
        return _Runs(self, study)

    def ask(self, statement: Any, **given: Any) -> list[Any]:
        """All rows of an answer to a statement about this server. Raises SQLAlchemyError, also where the right was
        lost.
        """
        with self._lock:
            if self._session is None:
                raise SQLAlchemyError("the connection that claims runs was lost")
            try:
                found = self._session.execute(statement, {"me": self._number, **given})
                return list(found) if found.returns_rows else []
            except SQLAlchemyError:
                self._drop()
                raise

    def take(self) -> bool:
        """Connect and take a number."""
        with self._lock:
            return self._take()

    def _take(self) -> bool:
        if self._session is not None:
            return self.held()
        session = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        number = 1 + secrets.randbelow(2**31 - 1)
        try:
            session.execute(_WATCH)
            taken = session.scalar(_LOCK, {"foot": _FOOT, "number": number})
        except SQLAlchemyError:
            session.invalidate()
            raise
        if not taken:
            session.close()
            return False
        self._session, self._number = session, number
        self._sweep()
        return True

    def held(self) -> bool:
        with contextlib.suppress(SQLAlchemyError):
            self.ask(text("SELECT 1"))
        return self._session is not None

    def lead(self, study: str) -> bool:
        return bool(self.claim([f"study {study}"], study, _LEAD).ours)

    def claim(self, keys: Collection[str], study: str, take: Any = _TAKE) -> Taken:
        """See ``footroom.studies.claims``; in the name of ``study``. take: the statement that inserts the claims."""
        with self._lock:  # nobody takes another number between two of these
            # All servers in the same order: else each of two would wait for a run that the other has just claimed.
            ours = {row.key for row in self.ask(take, keys=sorted(keys), study=study)}
            rest = [key for key in keys if key not in ours]
            taken = self.ask(_TAKEN, keys=rest) if rest else []
            ours |= {row.key for row in taken if row.owner == self._number and row.refusal is None}
            others = {row.owner for row in taken} - {self._number}
            dead = self._dead(others)
            if dead:
                ours |= {row.key for row in self.ask(_TAKE_OVER, keys=rest, dead=dead, study=study)}
            refused = {row.key: unpack(row.refusal) for row in taken if row.refusal is not None and row.key not in ours}
            return Taken(ours, refused)

    def leave(self, study: str, *, over: bool) -> None:
        """Refusals stay until the study is over: those who are still at it need them."""
        with contextlib.suppress(SQLAlchemyError):  # with the connection, the claims are gone too
            self.ask(_STEP_DOWN, study=study)  # first: from here on nobody claims a run whose refusal goes next
            self.ask(_LEAVE, study=study, over=over)
            self._sweep()

    def release(self) -> None:
        with self._lock, contextlib.suppress(SQLAlchemyError):
            self.ask(text("DELETE FROM claim WHERE owner = :me"))
            self._drop()

    def _dead(self, owners: Collection[int]) -> list[int]:
        """Those of ``owners`` that have ended, so that what they claimed is free."""
        return [row.owner for row in self.ask(_DEAD, owners=list(owners), foot=_FOOT)] if owners else []

    def _sweep(self) -> None:
        """Remove the claims of servers that have ended: such a run is as free without its row."""
        with self._lock:
            if dead := self._dead([row.owner for row in self.ask(_OWNERS)]):
                self.ask(_SWEEP, dead=dead)

    def _drop(self) -> None:
        if self._session is not None:
            with contextlib.suppress(SQLAlchemyError):
                self._session.invalidate()
                self._session.close()
            self._session = None


class _Runs:
    """Claims of a server in the name of one study."""

    def __init__(self, owner: Owner, study: str) -> None:
        self._owner, self._study = owner, study

    def claim(self, keys: Collection[str]) -> Taken:
        return self._owner.claim(keys, self._study)

    def settle(self, keys: Sequence[str]) -> None:
        if keys:
            self._owner.ask(_SETTLE, keys=list(keys))

    def refuse(self, key: str, error: dict[str, Any]) -> None:
        self._owner.ask(_REFUSE, refusal=pack(error), key=key)
