import { Button, Menu } from "@mantine/core";
import { useState } from "react";

import { copyText } from "@/lib/browser";

/** Title, a few words beside it, and what it does. */
export type Item = [title: string, hint: string, act: () => void];

export type Take = {
  /** Puts text on the clipboard and says so: what it is, then the text. */
  copy: (what: string, text: string) => void;
  say: (text: string) => void;
};

type Props = {
  /** Groups of items. */
  items: (take: Take) => Item[][];
};

/** A menu in the header for taking the question or its answer elsewhere. */
export function TakeMenu({ items }: Props) {
  const [said, setSaid] = useState("");
  const say = (text: string) => {
    setSaid(text);
    window.setTimeout(() => {
      setSaid("");
    }, 2500);
  };
  const copy = (what: string, text: string) => {
    copyText(text).then(
      () => {
        say(`${what} copied`);
      },
      () => {
        say("The browser did not allow copying");
      },
    );
  };
  return (
    <>
      <span role="status" style={{ color: "var(--muted)", fontSize: "0.78rem" }}>
        {said}
      </span>
      <Menu position="bottom-end" width={340} shadow="md" transitionProps={{ duration: 80 }}>
        <Menu.Target>
          <Button size="compact-sm" variant="default">
            Copy or download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {items({ copy, say }).map((group, i) => (
            <div key={i} role="group">
              {i > 0 && <Menu.Divider />}
              {group.map(([title, hint, act]) => (
                <Menu.Item
                  key={title}
                  onClick={act}
                  rightSection={<span style={{ color: "var(--muted)", fontSize: "0.75rem" }}>{hint}</span>}
                >
                  {title}
                </Menu.Item>
              ))}
            </div>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
