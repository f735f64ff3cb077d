/** What a picture needs besides its shapes, as attributes: the page's style sheets do not come along. */
const LOOKS = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
] as const;
/** For screens with fine pixels, and for slides. */
const SCALE = 2;
const MARGIN = 24;
const LINE = 22;

/** A drawn figure as a PNG in the colours that it has on the page, under lines that say what it shows. */
export async function figurePng(figure: SVGSVGElement, lines: readonly string[]): Promise<Blob> {
  const { width, height } = figure.viewBox.baseVal;
  const picture = await decoded(standalone(figure, width, height));
  const top = MARGIN + LINE * lines.length;
  const canvas = document.createElement('canvas');
  canvas.width = SCALE * (width + 2 * MARGIN);
  canvas.height = SCALE * (top + height + MARGIN);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser cannot draw images');
  const { color, fontFamily } = getComputedStyle(document.body);
  context.scale(SCALE, SCALE);
  context.fillStyle = paperOf(figure);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = color;
  for (const [at, line] of lines.entries()) {
    context.font = `${at === 0 ? '600 16px' : '14px'} ${fontFamily}`;
    context.fillText(line, MARGIN, MARGIN + LINE * at + 10, width);
  }
  context.drawImage(picture, MARGIN, top, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the image is too large')) : resolve(blob)));
  });
}

function standalone(figure: SVGSVGElement, width: number, height: number): string {
  const copy = figure.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll<SVGElement>('*');
  for (const [at, element] of figure.querySelectorAll('*').entries()) {
    const style = getComputedStyle(element);
    for (const name of LOOKS) copies[at]?.setAttribute(name, style.getPropertyValue(name));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(copy);
}

async function decoded(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  // Not a blob: the policy of the page allows pictures of its server and of its own text.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}

function paperOf(figure: Element): string {
  for (let at: Element | null = figure; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/^rgba\(.*, 0\)$|^transparent$/u.test(backgroundColor)) return backgroundColor;
  }
  return 'Canvas';
}
