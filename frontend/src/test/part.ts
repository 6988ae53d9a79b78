/** A document of the API of which only some fields matter to a test. */
export const part = <T>(fields: Partial<T>): T => fields as T;
