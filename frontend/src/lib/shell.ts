/** Words for a POSIX shell (IEEE Std 1003.1, Shell Command Language, 2.2 Quoting): the only place that writes them. */

// No character here means anything to sh, bash, zsh, dash or ksh. "=" does at the start of a word (zsh), "~" and "#"
// too.
const PLAIN = /^[\w.,:%+/×@-][\w.,:%+/×@=-]*$/;

// A terminal may act on these while text is pasted, before a shell sees the quotes. No field takes them.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** One word that a shell takes as it is. Control characters become U+FFFD, which the command then refuses by name. */
export function quoted(text: string): string {
  const shown = text.replaceAll(CONTROL, "\ufffd");
  return PLAIN.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}

/** An option and its value. A value that begins with a dash stays a value. */
export function option(name: string, value: string): string {
  return value.startsWith("-") ? quoted(`${name}=${value}`) : `${name} ${quoted(value)}`;
}

/** A command on a line of its own; its parts are quoted already. */
export const commandLine = (...parts: string[]) => `${parts.join(" ")}\n`;
