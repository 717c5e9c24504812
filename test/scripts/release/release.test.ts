import { bundledOnly } from '../../../scripts/release/bill-of-materials';
import { firstRelease } from '../../../scripts/release/notes';

describe('the release that the changelog begins with', () => {
  test('has a version, and notes up to the release before it', () => {
    const changelog = '# Changelog\n\nAbout it.\n\n## 0.2.0 (2027-01-31)\n\n### Added\n\n- One.\n\n## 0.1.0\n\n- Two.\n';
    expect(firstRelease(changelog)).toEqual({ version: '0.2.0', notes: '### Added\n\n- One.\n' });
  });

  test.each(['# Changelog\n\n## Unreleased (0.1.0)\n\n- One.\n', '# Changelog\n', '# Changelog\n\n## 0.1\n'])('%j is refused', (changelog) => {
    expect(() => firstRelease(changelog)).toThrow('To release it, name the version and the day: "## 0.1.0 (2026-12-31)".');
  });
});

describe('the bill of materials', () => {
  const development = [{ name: 'cdx:npm:package:development', value: 'true' }];
  const all = {
    metadata: { component: { 'bom-ref': 'us@0.0.0', 'name': 'folder', 'version': '0.0.0', 'purl': 'pkg:npm/us@0.0.0' } },
    components: ['@a/b@1.0.0', 'c@2.0.0-rc.1', 'jest@3.0.0'].map((ref) => ({ 'bom-ref': ref, 'name': ref, 'properties': development })),
    dependencies: [],
  };

  test('has what is bundled, and only that', () => {
    const { metadata, components, dependencies } = bundledOnly(all, '@a/b@1.0.0\n\nFree for all, write to a@b.c\n\nc@2.0.0-rc.1\n\nMIT\n', 'us', '0.2.0');
    expect(metadata.component).toEqual({ 'bom-ref': 'us@0.2.0', 'name': 'us', 'version': '0.2.0', 'purl': 'pkg:npm/us@0.2.0' });
    expect(components.map(({ 'bom-ref': ref, properties }) => [ref, properties])).toEqual([['@a/b@1.0.0', []], ['c@2.0.0-rc.1', []]]);
    expect(dependencies[0]).toEqual({ ref: 'us@0.2.0', dependsOn: ['@a/b@1.0.0', 'c@2.0.0-rc.1'] });
  });

  test('is not made without a package that is bundled', () => {
    expect(() => bundledOnly(all, 'd@1.0.0\n\nMIT\n', 'us', '0.2.0')).toThrow('d@1.0.0 is in the bundle, and npm does not list it');
  });
});
