// What the page's forms are made of, taken out of the API's description of itself.

/** The bodies whose fields carry units, by operation, with the schemas they refer to. */
export function formsOf({ paths, components: { schemas } }) {
  const forms = {};
  const used = {};
  const take = (node) => {
    if (typeof node !== "object" || node === null) return;
    const name = node.$ref?.split("/").pop();
    if (name !== undefined && used[name] === undefined) take((used[name] = schemas[name]));
    Object.values(node).forEach(take);
  };
  for (const { post } of Object.values(paths)) {
    const body = post?.requestBody?.content["application/json"]?.schema;
    const name = body?.$ref?.split("/").pop();
    const fields = Object.values(schemas[name]?.properties ?? {});
    if (!fields.some((field) => field.unit !== undefined)) continue;
    forms[post.operationId] = body;
    take(body);
  }
  return { forms, components: { schemas: used } };
}
