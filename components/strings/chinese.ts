// Puts a value into a Chinese sentence: a space between it and the text where Chinese characters meet Latin letters or digits, none
// where they meet their own kind or punctuation. What names hold is not known here, so the sentence is spaced when it is said.

const endsChinese = /\p{Script=Han}$/u;
const startsChinese = /^\p{Script=Han}/u;
const endsLatin = /[\p{Script=Latin}\p{Nd}%]$/u;
const startsLatin = /^[\p{Script=Latin}\p{Nd}]/u;

export function zh(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  let said = texts[0] ?? "";
  values.forEach((value, index) => {
    said = glued(said, String(value));
    said = glued(said, texts[index + 1] ?? "");
  });
  return said;
}

function glued(left: string, right: string): string {
  const isBorder =
    (endsChinese.test(left) && startsLatin.test(right)) ||
    (endsLatin.test(left) && startsChinese.test(right));
  return isBorder ? `${left} ${right}` : left + right;
}
