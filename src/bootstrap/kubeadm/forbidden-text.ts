import { OwnedFile } from './node-setup';
import { KUBEADM_RULES } from './rules';
import { ForbiddenUserData } from '../../infrastructure/infrastructure';
import { Problem } from '../../validation/problem';

/**
 * Checks what stands in user data before the commands that kubeadm is among.
 *
 * @param files the files, with who asked for them
 * @param bootCommands the boot commands
 * @param owner the property that holds the options
 * @param forbidden what must not be there
 */
export function checkForbiddenText(
  files: readonly OwnedFile[], bootCommands: readonly string[], owner: string, forbidden: readonly ForbiddenUserData[] = [],
): Problem[] {
  const texts = [
    ...files.map(({ file, property }) => ({ property: `${property}.content`, text: file.content ?? '' })),
    ...bootCommands.map((text, index) => ({ property: `${owner}.bootCommands[${index}]`, text })),
  ];
  return forbidden.flatMap(({ text, reason }) => texts.filter((one) => one.text.includes(text)).map(({ property }) => ({
    rule: KUBEADM_RULES.forbiddenText, property, message: `it contains "${text}": ${reason}`, fix: 'write it otherwise, e.g. encode the file as base64',
  })));
}
