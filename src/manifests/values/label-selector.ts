/** A selector of labels; without any it selects everything, as an empty one does. */
export function labelSelector(labels: { readonly [key: string]: string } = {}): object {
  return Object.keys(labels).length === 0 ? {} : { matchLabels: { ...labels } };
}
