%t, %perm = autosage.transpose %a : index
