import "@testing-library/jest-dom/vitest";

import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// Busy machines take longer than the usual second to draw the whole page.
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => {
  cleanup();
});

// jsdom lays nothing out and so lacks what reports on layout; Mantine asks for it as it mounts.
class NoLayout {
  observe() {}
  unobserve() {}
  disconnect() {}
}
vi.stubGlobal("ResizeObserver", NoLayout);
vi.stubGlobal("matchMedia", (query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  dispatchEvent: () => false,
}));
Element.prototype.scrollIntoView = () => {};
window.scrollTo = () => {};
