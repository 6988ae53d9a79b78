import type { ReactNode } from "react";

import { Fields } from "@/form/Fields";
import { Fold } from "@/form/Fold";
import { useForm } from "@/form/FormContext";
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { namesOf, pick } from "@/lib/schema";

type Props = {
  title: string;
  /** Names of the fields, in their order. */
  names: readonly string[];
  schema: JsonObject;
  root: JsonObject;
  /** Path of the object that has these fields. */
  path: string;
  value: Json | undefined;
  level?: 1 | 2;
  initially?: boolean;
  /** Before the fields. */
  children?: ReactNode;
};

/** Some fields of an object under a heading; it says how many are set and opens by itself when one is wrong. */
export function Section({ title, names, schema, root, path, value, level = 1, initially = false, children }: Props) {
  const { errors } = useForm();
  const own = pick(schema, names);
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const set = isObject(value) ? namesOf(own).filter((name) => value[name] !== undefined).length : 0;
  const wrong = [...errors.keys()].some((error) =>
    namesOf(own).some((name) => error === at(name) || error.startsWith(`${at(name)}.`)),
  );
  return (
    <Fold
      title={title}
      note={set > 0 && !initially ? `${set} set` : ""}
      level={level}
      initially={initially}
      open={wrong}
    >
      {children}
      <Fields schema={own} root={root} path={path} value={value} of={title} />
    </Fold>
  );
}
