/** Expressions for a page in a browser: what a reader could not make out. */

/**
 * Texts whose contrast with what is behind them is below 4.5 to 1 (WCAG 2.2, 1.4.3). Behind a text of a figure is the
 * last shape drawn before it that contains it, as drawing order has it; behind others the nearest background.
 */
export const FAINT_TEXT = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (color) => {
    const [red, green, blue] = rgba(color).slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const solid = (color) => color !== 'none' && rgba(color)[3] === 255;
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (rgba(backgroundColor)[3] === 255) return backgroundColor;
    }
    return matchMedia('(prefers-color-scheme: dark)').matches ? '#121212' : '#ffffff';
  };
  const behind = (text) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const shapes = [...text.ownerSVGElement.querySelectorAll('rect')].filter((shape) => {
      const area = shape.getBoundingClientRect();
      const isBefore = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
      return isBefore && area.left <= x && area.right >= x && area.top <= y && area.bottom >= y && solid(getComputedStyle(shape).fill);
    });
    return shapes.length > 0 ? getComputedStyle(shapes.at(-1)).fill : ground(text.ownerSVGElement.parentElement);
  };
  const faint = [];
  const check = (text, color, back) => {
    const ratio = contrast(color, back);
    if (ratio < 4.5) faint.push(text.trim() + ': ' + color + ' on ' + back + ' is ' + ratio.toFixed(2));
  };
  for (const text of document.querySelectorAll('svg text'))
    if (text.textContent.trim() !== '') check(text.textContent, getComputedStyle(text).fill, behind(text));
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (textContent.trim() === '' || parentElement.closest('svg, style, title')) continue;
    check(textContent, getComputedStyle(parentElement).color, ground(parentElement));
  }
  return faint;
})()`;

/** Pairs of texts in a picture of which one covers the other by more than a hair. */
export const OVERLAPPING_TEXT = `(() => {
  const texts = [...document.querySelectorAll('text')].filter((text) => text.textContent.trim() !== '' && !text.closest('[transform*=rotate]'));
  const boxes = texts.map((text) => ({ text: text.textContent, ...text.getBoundingClientRect().toJSON() }));
  const pairs = [];
  for (const [at, one] of boxes.entries()) {
    for (const other of boxes.slice(at + 1)) {
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width > 2 && height > 4) pairs.push(one.text + ' / ' + other.text);
    }
  }
  return pairs;
})()`;
