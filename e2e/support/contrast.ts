import type { Page } from '@playwright/test';

/** Controls and text fields. */
const CONTROLS = 'a[href], button, input, textarea, select, label, [role="tab"], [role="switch"]';

/**
 * Returns a sentence for each visible part of a page with low contrast: texts and placeholders below 4.5:1, borders of controls
 * below 3:1. Colors are measured as painted, including transparent layers above and below.
 */
export function faintParts(page: Page): Promise<string[]> {
  return page.evaluate(findFaint);
}

/** Returns the same as {@link faintParts} while all controls are hovered at once. */
export async function faintWhileHovered(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const { nodeIds } = await session.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: CONTROLS,
  });
  const force = (nodeId: number) =>
    session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: ['hover'] });
  // Elements that were re-rendered in the meantime no longer exist and are skipped.
  await Promise.all(nodeIds.map((nodeId) => force(nodeId).catch(() => undefined)));
  const faint = await faintParts(page);
  await session.detach();
  return faint;
}

/** Runs in the page, so it can't use anything outside this function. */
function findFaint(): string[] {
  type Color = readonly [red: number, green: number, blue: number, alpha: number];
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  const known = new Map<string, Color>();
  const colorOf = (css: string): Color => {
    const held = known.get(css);
    if (held) return held;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = css;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    const color = [red, green, blue, alpha / 255] as const;
    known.set(css, color);
    return color;
  };
  const mix = (top: Color, under: Color, share: number): Color => [
    top[0] * share + under[0] * (1 - share),
    top[1] * share + under[1] * (1 - share),
    top[2] * share + under[2] * (1 - share),
    1,
  ];
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, style);
    return style;
  };
  /** Returns the visible color of an element's background, or of a color painted on it, blended with all ancestors. */
  const seen = (element: Element | null, paint: string | null): Color => {
    const chain: Element[] = [];
    for (let at = element; at; at = at.parentElement) chain.unshift(at);
    const draw = (index: number, under: Color): Color => {
      const at = chain[index];
      if (!at) return paint === null ? under : mix(colorOf(paint), under, colorOf(paint)[3]);
      const { backgroundColor, opacity } = styleOf(at);
      const ground = colorOf(backgroundColor);
      return mix(draw(index + 1, mix(ground, under, ground[3])), under, Number(opacity));
    };
    return draw(0, [255, 255, 255, 1]);
  };
  const luminance = ([red, green, blue]: Color) => {
    const linear = [red, green, blue].map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
  };
  const contrast = (a: Color, b: Color) => {
    const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  const isSeen = (element: Element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const { width, height } = element.getBoundingClientRect();
    // Text that is only for screen readers is one pixel in size.
    return width > 1 && height > 1 && styleOf(element).clipPath === 'none';
  };
  const faint: string[] = [];
  const judge = (element: Element, what: string, paint: string, least: number) => {
    const ratio = contrast(seen(element, paint), seen(element, null));
    if (ratio < least) faint.push(`${what}: ${ratio.toFixed(2)}:1, ${element.className}`);
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent?.trim() ?? '';
    const element = texts.currentNode.parentElement;
    // Emoji have their own colors.
    if (!element || !/[\p{L}\p{N}]/u.test(text) || element.closest('option, script, noscript, svg'))
      continue;
    const { color, fontSize } = styleOf(element);
    if (isSeen(element) && fontSize !== '0px') judge(element, text.slice(0, 40), color, 4.5);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea, select')) {
    const isMark = ['checkbox', 'radio', 'range', 'file', 'color'].includes(field.type);
    if (isMark || !isSeen(field)) continue;
    if (field.value !== '') judge(field, `value ${field.value}`, styleOf(field).color, 4.5);
    else if (field.placeholder)
      judge(field, field.placeholder, getComputedStyle(field, '::placeholder').color, 4.5);
  }

  const bordered = (element: Element) => {
    const { borderTopWidth, borderTopStyle, borderTopColor } = styleOf(element);
    const isDrawn = borderTopWidth !== '0px' && borderTopStyle !== 'none';
    return isDrawn && colorOf(borderTopColor)[3] > 0.05;
  };
  for (const control of document.querySelectorAll('button, input, textarea, select')) {
    const { appearance } = styleOf(control);
    const type = control.getAttribute('type') ?? '';
    // Native controls have no styles to measure.
    if (!isSeen(control) || (appearance === 'auto' && /checkbox|radio|range|color/.test(type)))
      continue;
    const isField = control.matches('input, textarea, select');
    // The visible border may be on a box around the field.
    const box = [
      control,
      ...(isField ? [control.parentElement, control.parentElement?.parentElement] : []),
    ].find((element) => element && bordered(element));
    if (!box) continue;
    const outside = seen(box.parentElement, null);
    const ratio = Math.max(
      contrast(seen(box, styleOf(box).borderTopColor), outside),
      contrast(seen(box, null), outside),
    );
    const name = control.getAttribute('aria-label') ?? control.textContent ?? '';
    if (ratio < 3) faint.push(`border of ${name}: ${ratio.toFixed(2)}:1, ${box.className}`);
  }
  return faint;
}
