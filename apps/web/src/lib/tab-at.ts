/** Returns the tab that a key moves to. @param current the current tab's index; -1 for none */
export function tabAt<Tab>(key: string, tabs: readonly Tab[], current: number): Tab | undefined {
  const last = tabs.length - 1;
  const [next, previous] =
    document.dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  const targets: Readonly<Record<string, number>> = {
    [next]: current === last ? 0 : current + 1,
    [previous]: current <= 0 ? last : current - 1,
    Home: 0,
    End: last,
  };
  return tabs[targets[key] ?? -1];
}
