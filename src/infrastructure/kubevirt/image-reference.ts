import { PropertyReport } from './property-report';
import { KUBEVIRT_RULES } from './rules';

const DOMAIN_LABEL = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = `(?:${DOMAIN_LABEL}(?:\\.${DOMAIN_LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const REFERENCE = new RegExp(
  `^((?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*)(?::([\\w][\\w.-]{0,127}))?(?:@(sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128}))?$`,
);
const MAX_NAME_LENGTH = 255;

/** The parts of an image's name. */
export interface ImageReference {
  /** Registry and repository. */
  readonly name: string;
  /** What stands behind the colon. */
  readonly tag?: string;
  /** What stands behind the at sign. */
  readonly digest?: string;
}

/**
 * Reads the name of an image as container runtimes do (distribution/reference regexp.go).
 *
 * @returns its parts, or undefined if the text is no image's name
 */
export function parseImageReference(text: string): ImageReference | undefined {
  const match = REFERENCE.exec(text);
  if (!match || match[1].length > MAX_NAME_LENGTH) return undefined;
  return { name: match[1], tag: match[2], digest: match[3] };
}

/** Checks that a text names one image for good: machines made later must not differ from those made before. */
export function checkImage(report: PropertyReport, text: string): void {
  const image = parseImageReference(text);
  if (!image) {
    report.add(KUBEVIRT_RULES.image, {
      message: `"${text}" is not the name of an image`,
      accepted: '"registry.example.com/team/image:tag", with "@sha256:" and 64 hex digits in place of the tag or behind it',
      fix: 'write the registry, the repository in lower case, and a tag or a digest',
    });
  } else if (!image.digest && (image.tag === undefined || image.tag === 'latest')) {
    report.add(KUBEVIRT_RULES.imageUnpinned, {
      message: `"${text}" has ${image.tag === undefined ? 'neither tag nor digest' : 'the tag "latest" and no digest'}, `
        + 'so a machine made tomorrow may differ from its neighbours',
      fix: `name a version, such as "${image.name}:v1.0.0", or add the digest of the image`,
    });
  }
}
