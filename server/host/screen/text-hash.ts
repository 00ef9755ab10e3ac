// 53 bits of cyrb53: stable over releases, not for security.

export class Hash {
  private h1 = 0xdeadbeef;
  private h2 = 0x41c6ce57;

  text(text: string): void {
    for (let i = 0; i < text.length; i++) this.number(text.charCodeAt(i));
  }

  /** 32 bits of it count. */
  number(value: number): void {
    this.h1 = Math.imul(this.h1 ^ value, 2654435761);
    this.h2 = Math.imul(this.h2 ^ value, 1597334677);
  }

  get value(): number {
    const { h1, h2 } = this;
    const a = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
    const b = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return 4294967296 * (2097151 & b) + (a >>> 0);
  }
}

export function hashNumber(text: string): number {
  const hash = new Hash();
  hash.text(text);
  return hash.value;
}

export function hashText(text: string): string {
  return hashNumber(text).toString(16).padStart(14, "0");
}
