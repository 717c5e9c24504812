import { isEmptyFields, isPageFields, PageCall, PageExpression, PageFields } from '../rules/page-expression';

/**
 * Properties without those that their class refuses.
 *
 * @param props the properties
 * @param key the part of the page that they belong to, as text
 * @param dropped the refused properties of all parts, with names joined by dots behind the text of the part
 */
export function withoutProperties(props: PageFields, key: string, dropped: ReadonlySet<string>): PageFields {
  const own = [...dropped].filter((text) => text.startsWith(`${key} `)).map((text) => text.slice(key.length + 1).split('.'));
  return own.reduce<PageFields>((current, path) => without(current, path) ?? current, props);
}

/**
 * Properties without one of them.
 *
 * @param props the properties
 * @param path names of the property, from the outermost; classes between them are passed through
 * @returns undefined if there is no such property
 */
export function without(props: PageFields, path: readonly string[]): PageFields | undefined {
  const [name, ...below] = path;
  const value = props[name];
  if (value === undefined) return undefined;
  if (below.length === 0) return { ...props, [name]: undefined };
  const inner = withoutBelow(value, below);
  if (inner === undefined) return undefined;
  return { ...props, [name]: isPageFields(inner) && isEmptyFields(inner) ? undefined : inner };
}

function withoutBelow(value: PageExpression, path: readonly string[]): PageExpression | undefined {
  if (value instanceof PageCall) {
    const last = value.args.at(-1);
    const inner = isPageFields(last) ? without(last, path) : undefined;
    return inner && new PageCall(value.name, [...value.args.slice(0, -1), ...isEmptyFields(inner) ? [] : [inner]], value.isNew);
  }
  return isPageFields(value) ? without(value, path) : undefined;
}
