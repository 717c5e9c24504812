/** A section of the changelog. */
export interface Release {
  readonly version: string;
  readonly notes: string;
}

/** The release that the changelog begins with. */
export function firstRelease(changelog: string): Release {
  const [, ...sections] = changelog.split(/^## /m);
  const [heading = '', ...lines] = (sections[0] ?? '').split('\n');
  const version = /^(\d+\.\d+\.\d+)(?: \(\d{4}-\d{2}-\d{2}\))?$/.exec(heading)?.[1];
  if (version === undefined) {
    throw new Error(`CHANGELOG.md begins with "## ${heading}". To release it, name the version and the day: "## 0.1.0 (2026-12-31)".`);
  }
  return { version, notes: `${lines.join('\n').trim()}\n` };
}
