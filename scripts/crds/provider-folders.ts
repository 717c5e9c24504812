import * as fs from 'node:fs';
import * as path from 'node:path';

/** Files with definitions of providers: `PROVIDER_CRDS_DIR` names their folder; without it, those beside the repository are taken. */
export function providerFiles(): string[] {
  const given = process.env.PROVIDER_CRDS_DIR;
  const folders = given ? [given] : ['provider-crds', 'crds'].map((folder) => path.join(__dirname, '../../../shared', folder));
  return folders.filter((folder) => fs.existsSync(folder)).flatMap((folder) => (
    fs.readdirSync(folder).filter((name) => name.endsWith('.yaml')).map((name) => path.join(folder, name))));
}
