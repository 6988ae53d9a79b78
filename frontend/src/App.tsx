import { Button, createTheme, MantineProvider, Menu } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";

import { Unreachable } from "@/api/problem";
import { Shell } from "@/shell/Shell";
import { Broken, Missing } from "@/shell/Sorry";
import { makeRouter } from "@/state/router";
import { viewOf } from "@/views";

const theme = createTheme({
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  defaultRadius: "sm",
  primaryColor: "blue",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  components: {
    Button: Button.extend({ styles: { root: { fontWeight: 550, fontSize: "0.8125rem", height: "1.6875rem" } } }),
    Menu: Menu.extend({
      styles: {
        item: { fontSize: "0.8125rem", padding: "5px 10px" },
        dropdown: { background: "var(--panel)", borderColor: "var(--line)" },
      },
    }),
  },
  colors: {
    blue: [
      "#e7f0f8",
      "#cfe1f1",
      "#a3c8e6",
      "#8cc4f5",
      "#6cb4f2",
      "#3f8fd0",
      "#2375bc",
      "#0b5fa5",
      "#084d87",
      "#063a66",
    ],
  },
});

/** The page with its providers. */
export function App() {
  // The server may be this machine: requests are sent even when the browser reports no network, so that its silence is
  // noticed.
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            refetchOnWindowFocus: false,
            networkMode: "always",
            // What got no answer while there was no network is asked again by itself.
            refetchOnReconnect: ({ state }) => state.error instanceof Unreachable,
          },
        },
      }),
  );
  const [router] = useState(() => makeRouter({ shell: Shell, viewOf, missing: Missing, broken: Broken }));
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
