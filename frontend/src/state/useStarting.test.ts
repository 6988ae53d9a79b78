import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { useStarting } from "@/state/useStarting";

/** A start whose answer comes when the test says so. */
function held() {
  let answer: (id: string) => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((resolve, reject) => {
    answer = resolve;
    refuse = reject;
  });
  return {
    start: () => promise,
    answer: async (id: string) => {
      await act(async () => {
        answer(id);
        await promise;
      });
    },
    refuse: async (error: Error) => {
      await act(async () => {
        refuse(error);
        await promise.catch(() => undefined);
      });
    },
  };
}

function hook() {
  const [kept, dropped] = [vi.fn(), vi.fn()];
  const { result, rerender, unmount } = renderHook(({ key }: { key: string }) => useStarting(key), {
    initialProps: { key: "a" },
  });
  const begin = (one: ReturnType<typeof held>) => {
    act(() => {
      result.current.begin(one.start, kept, dropped);
    });
  };
  return { result, rerender, unmount, begin, kept, dropped };
}

test("an answer is kept for the question that was asked", async () => {
  const { result, begin, kept, dropped } = hook();
  const first = held();
  begin(first);
  expect(result.current.starting).toBe(true);
  await first.answer("one");
  expect(kept).toHaveBeenCalledExactlyOnceWith("one");
  expect(dropped).not.toHaveBeenCalled();
  expect(result.current.starting).toBe(false);
});

test("one that comes after the question changed is dropped, and the new one can be started meanwhile", async () => {
  const { result, rerender, begin, kept, dropped } = hook();
  const [first, second] = [held(), held()];
  begin(first);
  rerender({ key: "b" });
  expect(result.current.starting).toBe(false);
  begin(second);
  expect(result.current.starting).toBe(true);
  await first.answer("one");
  expect(kept).not.toHaveBeenCalled();
  expect(dropped).toHaveBeenCalledExactlyOnceWith("one");
  expect(result.current.starting).toBe(true);
  await second.answer("two");
  expect(kept).toHaveBeenCalledExactlyOnceWith("two");
});

test("one that comes after the view was left is neither kept nor dropped", async () => {
  const { unmount, begin, kept, dropped } = hook();
  const first = held();
  begin(first);
  unmount();
  await first.answer("one");
  expect(kept).not.toHaveBeenCalled();
  expect(dropped).not.toHaveBeenCalled();
});

test("a refusal is said of its own question alone", async () => {
  const { result, rerender, begin } = hook();
  const first = held();
  begin(first);
  await first.refuse(new Error("no"));
  expect(result.current.error?.message).toBe("no");
  rerender({ key: "b" });
  expect(result.current.error).toBeUndefined();
});
