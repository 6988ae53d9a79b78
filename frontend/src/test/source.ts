import { act } from "@testing-library/react";

/** A stream of events that tests send by hand. */
export class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static latest: FakeSource;
  static all: FakeSource[] = [];
  readyState = 1;

  constructor(readonly url: string) {
    super();
    FakeSource.latest = this;
    FakeSource.all.push(this);
  }

  /** Those that nobody closed. */
  static open = () => FakeSource.all.filter(({ readyState }) => readyState !== FakeSource.CLOSED);

  close() {
    this.readyState = FakeSource.CLOSED;
  }

  send(event: string, data: unknown) {
    act(() => {
      this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
    });
  }

  /** The server has no such stream. */
  refuse() {
    this.close();
    act(() => {
      this.dispatchEvent(new Event("error"));
    });
  }
}
