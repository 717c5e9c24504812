import { readOnce } from '../../../src/manifests/values/read-once';

/** A reader, and what it has read. */
function reader() {
  const texts: string[] = [];
  const read = readOnce((text) => {
    texts.push(text);
    return text === 'none' ? undefined : text.length;
  });
  return { read, texts };
}

test('a string is read once, even one in which there is nothing', () => {
  const { read, texts } = reader();
  expect(['10.0.0.0/8', 'none', '10.0.0.0/8', 'none'].map(read)).toEqual([10, undefined, 10, undefined]);
  expect(texts).toEqual(['10.0.0.0/8', 'none']);
});

test('a long text is read each time, for it is not kept', () => {
  const { read, texts } = reader();
  const text = 'a'.repeat(101);
  expect([read(text), read(text)]).toEqual([101, 101]);
  expect(texts).toHaveLength(2);
});

test('of many texts, those of long ago are read again', () => {
  const { read, texts } = reader();
  for (let number = 0; number <= 1000; number++) read(`${number}`);
  read('1000');
  expect(texts).toHaveLength(1001);
  expect(read('0')).toBe(1);
  expect(texts).toHaveLength(1002);
});
