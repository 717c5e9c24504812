import { LINE_SIZE, TITLE_SIZE } from './box-text';
import { placeFree } from './free-boxes';
import { Placed, PlacedBox, PlacedGroup, PlacedPicture, Rectangle } from './placed-picture';
import { textWidth } from './text-width';
import { placeTied } from './tied-boxes';
import { Group, Picture } from '../picture';

/** Size of the heading of a picture. */
export const HEADING_SIZE = 16;

/** Room above what is in a picture, with its heading in it. */
export const HEADING_HEIGHT = 44;

/** Room above what is in a group, with its title in it. */
export const GROUP_HEADING = 34;

export const MARGIN = 20;
export const GROUP_PADDING = 18;

/** Room below the groups for a line of explanation. */
const FOOT = 24;

const BETWEEN_PARTS = 20;
const BETWEEN_GROUPS = 52;
const USUAL_WIDTH = 940;

/** Says where everything of a picture is. The same picture is always the same. */
export function placePicture(picture: Picture): PlacedPicture {
  const tied = picture.groups.map((group) => tiedPart(group));
  const room = tied.reduce((widest, { width }) => Math.max(widest, width), USUAL_WIDTH);
  const parts = picture.groups.map((group, index) => below(tied[index], placeFree(freeBoxes(group), room)));
  const widest = Math.max(
    ...parts.map(({ width }) => width),
    ...picture.groups.map(({ title }) => textWidth(title, TITLE_SIZE, true)),
    textWidth(picture.title, HEADING_SIZE, true) - 2 * GROUP_PADDING,
    // The words stand beside the arrow, right of the middle.
    2 * textWidth(picture.between ?? '', LINE_SIZE),
  );
  const inner = Math.ceil(widest) + 2 * GROUP_PADDING;

  let y = HEADING_HEIGHT;
  const groups: PlacedGroup[] = parts.map((part, index) => {
    const placed = placeGroup(picture.groups[index], part, { x: MARGIN, y, width: inner });
    y += placed.height + BETWEEN_GROUPS;
    return placed;
  });
  const [first, second] = groups;
  const middle = MARGIN + Math.round(inner / 2);
  const foot = picture.groups.some((group) => group.arrows.some(({ isOrder }) => isOrder)) ? FOOT : 0;
  return {
    picture,
    width: inner + 2 * MARGIN,
    height: Math.max(HEADING_HEIGHT, y - BETWEEN_GROUPS) + foot + MARGIN,
    groups,
    hasOrder: foot > 0,
    ...(second && { between: { from: { x: middle, y: first.y + first.height }, to: { x: middle, y: second.y } } }),
  };
}

function tiedPart({ boxes, arrows }: Group): Placed {
  const tied = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  return placeTied(boxes.filter(({ id }) => tied.has(id)), arrows);
}

function freeBoxes({ boxes, arrows }: Group) {
  const tied = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  return boxes.filter(({ id }) => !tied.has(id));
}

function below(upper: Placed, lower: Placed): Placed {
  if (upper.boxes.length === 0 || lower.boxes.length === 0) return upper.boxes.length === 0 ? lower : upper;
  const top = upper.height + BETWEEN_PARTS;
  return {
    boxes: [...upper.boxes, ...lower.boxes.map((box) => moved(box, 0, top))],
    arrows: upper.arrows,
    width: Math.max(upper.width, lower.width),
    height: top + lower.height,
  };
}

function placeGroup(group: Group, { boxes, arrows, height }: Placed, { x, y, width }: Omit<Rectangle, 'height'>): PlacedGroup {
  const [left, top] = [x + GROUP_PADDING, y + GROUP_HEADING];
  return {
    group,
    x,
    y,
    width,
    height: GROUP_HEADING + height + GROUP_PADDING,
    boxes: boxes.map((box) => moved(box, left, top)),
    arrows: arrows.map(({ arrow, points }) => ({ arrow, points: points.map((point) => ({ x: point.x + left, y: point.y + top })) })),
  };
}

function moved(box: PlacedBox, x: number, y: number): PlacedBox {
  return { ...box, x: box.x + x, y: box.y + y };
}
