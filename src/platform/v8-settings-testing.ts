/** A process that notes what is set. */
export function v8Process(...args: string[]) {
  const flags: string[] = [];
  return { args, flags, set: (flag: string) => void flags.push(flag) };
}
