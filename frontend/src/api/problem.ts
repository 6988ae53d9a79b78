/** What went wrong, in the words of the API, or that the API does not answer. */
import type { Schema } from "@/contract";
import { pathLabel, plainMessage, refusalWords } from "@/lib/problems";

export type FieldProblem = Schema<"FieldProblem">;

/** A problem document (RFC 9457). */
export class ApiProblem extends Error {
  override name = "ApiProblem";

  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly errors: FieldProblem[] = [],
    readonly engines: string[] = [],
  ) {
    super(detail);
  }
}

/** The server cannot be reached. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

export function problemOf(status: number, body: unknown): ApiProblem {
  const document = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const text = (key: string, otherwise: string) => (typeof document[key] === "string" ? document[key] : otherwise);
  const list = (key: string) => (Array.isArray(document[key]) ? (document[key] as unknown[]) : []);
  const errors = list("errors").flatMap((item): FieldProblem[] => {
    const { path, given, message } = item as Partial<FieldProblem>;
    // The form knows the scenario only; the request wraps it.
    return typeof path === "string" && typeof message === "string"
      ? [{ path: path.replace(/^scenario\./, ""), given: given ?? null, message }]
      : [];
  });
  const engines = list("engines").filter((name) => typeof name === "string");
  return new ApiProblem(
    status,
    text("title", `HTTP ${status}`),
    text("detail", "the server gave no reason"),
    errors,
    engines,
  );
}

/** Why a job failed, as its own document says. */
export const failureOf = (document: Schema<"ProblemDocument"> | null | undefined): ApiProblem | undefined =>
  document === null || document === undefined ? undefined : problemOf(document.status, document);

/** What went wrong, in sentences and in the words of the form. */
export function wordsOf(error: Error): string {
  if (!(error instanceof ApiProblem)) return error.message.replace(/\.?$/, ".");
  if (error.errors.length === 0) return refusalWords(error.detail);
  return error.errors
    .map(({ path, message }) =>
      // A limit of the server is no field of the form.
      path === "" || path.startsWith("limits.") || error.engines.length > 0
        ? refusalWords(message)
        : `${pathLabel(path)}: ${plainMessage(message, path).replace(/\.?$/, ".")}`,
    )
    .join(" ");
}
