interface Component {
  readonly 'bom-ref': string;
  readonly 'name': string;
  readonly 'version'?: string;
  readonly 'purl'?: string;
  readonly 'properties'?: readonly { readonly name: string; readonly value: string }[];
}

/** As much of a CycloneDX document as is changed here. */
export interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const HEADING = /^(?:@[^\s/@]+\/)?[^\s/@]+@\d+\.\d+\.\d+\S*$/;

/**
 * Bill of materials of npm, cut to the packages in the bundle. To npm these are for development only.
 *
 * @param all what `npm sbom` writes
 * @param licenses `lib/THIRD-PARTY-LICENSES`, where each package of the bundle has a heading
 * @param name of the package, which npm takes from its folder
 * @param version of the release, which package.json does not have
 */
export function bundledOnly(all: BillOfMaterials, licenses: string, name: string, version: string): BillOfMaterials {
  const bundled = licenses.split('\n').filter((line) => HEADING.test(line));
  const components = bundled.map((each) => {
    const component = all.components.find((candidate) => candidate['bom-ref'] === each);
    if (component === undefined) throw new Error(`${each} is in the bundle, and npm does not list it`);
    return { ...component, properties: component.properties?.filter((property) => property.name !== 'cdx:npm:package:development') };
  });
  const ref = `${name}@${version}`;
  return {
    ...all,
    metadata: { ...all.metadata, component: { ...all.metadata.component, 'bom-ref': ref, name, version, 'purl': `pkg:npm/${ref}` } },
    components,
    dependencies: [{ ref, dependsOn: bundled }, ...bundled.map((each) => ({ ref: each, dependsOn: [] }))],
  };
}
