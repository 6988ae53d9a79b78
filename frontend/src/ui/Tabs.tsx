import type { KeyboardEvent, ReactNode } from "react";

import classes from "./layout.module.css";

type Props<Id extends string> = {
  /** Spoken name of the row of tabs. */
  label: string;
  tabs: readonly { id: Id; title: string }[];
  chosen: Id;
  onPick: (id: Id) => void;
  children: ReactNode;
};

/** A row of tabs with the panel of the chosen one; the arrow keys move between them. */
export function Tabs<Id extends string>({ label, tabs, chosen, onPick, children }: Props<Id>) {
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = tabs[(tabs.findIndex(({ id }) => id === chosen) + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onPick(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div className={classes.tabs} role="tablist" aria-label={label} onKeyDown={onKey}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            className={classes.tab}
            aria-selected={chosen === id}
            aria-controls="panel"
            tabIndex={chosen === id ? 0 : -1}
            onClick={() => {
              onPick(id);
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${chosen}`} className={classes.scroll} tabIndex={0}>
        {children}
      </div>
    </>
  );
}
