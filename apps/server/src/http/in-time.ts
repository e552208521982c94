/** Returns the promise's result, or null if it takes longer than `ms`. */
export async function inTime<T>(asked: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
