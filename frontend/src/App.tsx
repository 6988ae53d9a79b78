import { MantineProvider, Title } from "@mantine/core";

/** The page. */
export function App() {
  return (
    <MantineProvider defaultColorScheme="auto">
      <main>
        <Title order={1}>Footroom</Title>
      </main>
    </MantineProvider>
  );
}
