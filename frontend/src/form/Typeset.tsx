/** A symbol with what follows its underscore set low: "L_MTU". */
export function Typeset({ symbol }: { symbol: string }) {
  const [base = "", ...low] = symbol.split("_");
  return low.length === 0 ? (
    symbol
  ) : (
    <>
      {base}
      <sub>{low.join(" ")}</sub>
    </>
  );
}
