import { parseAllDocuments } from 'yaml';

const { loadAll } = jest.requireActual<{ loadAll(text: string): unknown[] }>('js-yaml');

function byYaml(version: '1.1' | '1.2') {
  return (text: string): unknown[] => [...parseAllDocuments(text, { version })].map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS() as unknown;
  });
}

/** Programs that read YAML, by what they understand by it: the documents of a string. */
export const READERS: readonly (readonly [name: string, read: (text: string) => unknown[]])[] = [
  ['yaml 1.1', byYaml('1.1')],
  ['yaml 1.2', byYaml('1.2')],
  ['js-yaml', loadAll],
];
