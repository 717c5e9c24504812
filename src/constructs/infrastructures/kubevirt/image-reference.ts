import { KUBEVIRT_RULES } from './rules';
import { parseImageReference, pinAdvice } from '../../../manifests/values/image-reference';
import { PropertyReport } from '../../app/problems/property-report';

export { parseImageReference };

/** Checks that a text names one image for good: machines made later must not differ from those made before. */
export function checkImage(report: PropertyReport, text: string): void {
  const image = parseImageReference(text);
  if (!image) {
    report.add(KUBEVIRT_RULES.image, {
      message: `"${text}" is not the name of an image`,
      accepted: '"registry.example.com/team/image:tag", with "@sha256:" and 64 hex digits in place of the tag or behind it',
      fix: 'write the registry, the repository in lower case, and a tag or a digest',
      _image: text,
    });
  } else if (!image.digest && (image.tag === undefined || image.tag === 'latest')) {
    report.add(KUBEVIRT_RULES.imageUnpinned, {
      message: `"${text}" has ${image.tag === undefined ? 'neither tag nor digest' : 'the tag "latest" and no digest'}, `
        + 'so a machine made tomorrow may differ from its neighbours',
      fix: pinAdvice(image.name),
      _image: text,
    });
  }
}
