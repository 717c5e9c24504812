/** A format of texts in Kubernetes' own kinds, which Go reads in a way of its own. */
interface GoFormat {
  readonly words: string;
  readonly reads: (text: string) => boolean;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d([.,]\d+)?(Z|[+-]([01]\d|2[0-4]):[0-5]\d)$/;
const MICRO_TIME = /\d\.\d{6}(Z|[+-])/;
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The formats, as schemas name them.
 *
 * Source: Go encoding/base64, which takes line breaks; kubernetes/apimachinery pkg/apis/meta/v1/{time,micro_time}.go.
 */
const FORMATS: Readonly<Record<string, GoFormat>> = {
  'go-bytes': { words: 'base64', reads: (text) => BASE64.test(text.replace(/[\r\n]/g, '')) },
  'go-time': { words: 'a time such as 2026-05-01T10:00:00Z', reads: isTime },
  'go-micro-time': { words: 'a time with six digits of a second, such as 2026-05-01T10:00:00.000000Z', reads: (text) => isTime(text) && MICRO_TIME.test(text) },
};

/** A format in words, if a text cannot have it. */
export function brokenGoFormat(format: string, text: string): string | undefined {
  return Object.hasOwn(FORMATS, format) && !FORMATS[format].reads(text) ? FORMATS[format].words : undefined;
}

function isTime(text: string): boolean {
  const [, year, month, day] = (TIME.exec(text) ?? []).map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
