"""Links between documents and records that references lack, judged by hiding known ones."""
