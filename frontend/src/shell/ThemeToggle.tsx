import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";

/** Light or dark; until it is used, the system decides. */
export function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const other = scheme === "light" ? "dark" : "light";
  return (
    <ActionIcon
      variant="default"
      size={26}
      aria-label={`Switch to ${other}`}
      title={`Switch to ${other}`}
      onClick={() => {
        setColorScheme(other);
      }}
    >
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
        <path d="M7 1.5 A5.5 5.5 0 0 1 7 12.5 Z" fill="currentColor" />
      </svg>
    </ActionIcon>
  );
}
