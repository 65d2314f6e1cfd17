// A program that knows weft only as installed: units, and the catalog with the libraries behind it.
#include <weft/catalog/catalog.h>
#include <weft/units/text.h>

#include <cstdio>

int main() {
  const weft::Result<weft::Rate> rate = weft::parse_rate("900GB/s bidir");
  const weft::Result<weft::catalog::Catalog> catalog = weft::catalog::Catalog::builtin();
  if (!rate || !catalog) return 1;
  const weft::catalog::Part* part = catalog->find("hgx-h100-8");
  if (part == nullptr) return 1;
  std::printf("%s\n%s\n", weft::human_both(*rate).c_str(), part->title.c_str());
}
