// Builds the command line of a search that writes a report.

exports.searchArguments = function (query, games, report, dialect) {
  const inputs = games.flatMap((file) => ["-input", file]);
  const how = dialect && dialect !== "auto" ? ["-dialect", dialect] : [];
  return [...how, ...inputs, "-o", report, query];
};
