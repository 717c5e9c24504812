import { Size, SizeRoundingBehavior } from 'cdk8s';
import { KUBEVIRT_RULES } from './rules';
import { checkQuantity } from '../../../manifests/values/quantity';
import { PropertyReport } from '../../app/problems/property-report';

const UNITS = ['Mi', 'Gi', 'Ti'];

/** A size in MiB, fractions included. */
export function mebibytes(size: Size): number {
  return size.toMebibytes({ rounding: SizeRoundingBehavior.NONE });
}

/**
 * A size as a Kubernetes quantity in the largest unit that fits exactly, so that one size has one text however it was written:
 * `Size.mebibytes(2048)` and `Size.gibibytes(2)` are both `2Gi`.
 */
export function sizeText(size: Size): string {
  let amount = mebibytes(size);
  let unit = 0;
  while (unit < UNITS.length - 1 && amount > 0 && amount % 1024 === 0) {
    amount /= 1024;
    unit++;
  }
  return `${amount}${UNITS[unit]}`;
}

/** True if a size is a whole number of MiB above 0 that Kubernetes can count. */
export function isWhole(size: Size): boolean {
  return Number.isSafeInteger(mebibytes(size)) && checkQuantity(sizeText(size), { positive: true }) === undefined;
}

/** Checks the size of a disk. */
export function checkDiskSize(report: PropertyReport, size: Size | undefined): void {
  if (size === undefined) return;
  if (!isWhole(size)) {
    report.add(KUBEVIRT_RULES.diskSize, {
      message: `${size.asString()} is not a whole number of MiB above 0, or too large for Kubernetes`,
      fix: 'give a size such as Size.gibibytes(40)',
    });
  }
}
