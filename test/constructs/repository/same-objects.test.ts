import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App, YamlOutputType } from 'cdk8s';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { OutputFiles } from '../../../src/constructs/app/synth/output-files';
import { ManifestFolders } from '../../../src/constructs/contracts/delivery/manifest-folder';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { SCENARIOS } from '../../scenarios';
import { readFiles } from '../../support/examples';
import { parse } from '../../support/outputs';
import { sample } from '../../support/sample';

let outdir: string;

beforeEach(() => {
  outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'same-'));
  jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
});

afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(outdir, { recursive: true, force: true });
});

test.each(sample(Object.keys(SCENARIOS), 6))('%s: a GitOpsApp writes the objects that an App writes', (name) => {
  expect(written(new GitOpsApp({ outdir: path.join(outdir, 'gitops'), quiet: true }), name)).toEqual(written(stock(path.join(outdir, 'stock')), name));
});

/** An app of cdk8s, of which nothing says that it leaves out files beside manifests. */
function stock(folder: string): App {
  const app = new App({ outdir: folder, yamlOutputType: YamlOutputType.FILE_PER_APP });
  ManifestFolders.of(app).written = true;
  OutputFiles.of(app).written = true;
  return app;
}

/** The manifests for the management cluster, each as text with sorted fields, in order. */
function written(app: App, name: string): string[] {
  SCENARIOS[name](app);
  app.synth();
  const files = Object.entries(readFiles(app.outdir)).filter(([file]) => /\.yaml$/.test(file) && !/kustomization\.yaml$|\/delivered\//.test(file));
  return files.flatMap(([, text]) => parse(text)).map((object) => JSON.stringify(object, sortedFields)).sort();
}

function sortedFields(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
